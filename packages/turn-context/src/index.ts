export { composeFromJournal, composeRequest } from './compose.ts';
export { isTurnContextError, TurnContextError, type TurnContextErrorCode } from './errors.ts';
export { assertSendable, type ProviderRequest, type RequestMessage } from './request.ts';
