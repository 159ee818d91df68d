export {
  type Activation,
  type ActivationOptions,
  type ActivationResolver,
  type DeliverOptions,
  type Delivery,
  type ObservedResult,
  openActivation,
} from './activation.ts';
export { ActivationError, type ActivationErrorCode, isActivationError } from './error.ts';
export { type CheckedModule, type DeliveryPlan, type PlanOptions, pathsToCheck, planDelivery } from './plan.ts';
export { parseInstructions, type RenderedItem, type RenderOptions, renderInstructions } from './render.ts';
