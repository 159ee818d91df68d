export { composeFromJournal, composeProjected, composeRequest } from './compose.ts';
export { isTurnContextError, TurnContextError, type TurnContextErrorCode } from './errors.ts';
export {
  type AssistantRequestMessage,
  assertSendable,
  type ContextRequestMessage,
  type InstructionsRequestMessage,
  type ProviderRequest,
  type RequestMessage,
  type ToolRequestMessage,
  type UserRequestMessage,
} from './request.ts';
