export {
  type Activation,
  type ActivationOptions,
  type Delivery,
  type ObservedResult,
  openActivation,
} from './activation.ts';
export { ActivationError, type ActivationErrorCode, isActivationError } from './error.ts';
export { type CheckedModule, type DeliveryPlan, pathsToCheck, planDelivery } from './plan.ts';
export { parseInstructions, type RenderedItem, type RenderOptions, renderInstructions } from './render.ts';
