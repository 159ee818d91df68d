export { isSessionError, SessionError, type SessionErrorCode } from './error.ts';
export { digestOf, requestsOf, type SentRequestRecord } from './requests.ts';
export {
  openSession,
  type SentRequest,
  type Session,
  type SessionOptions,
  type StartOutcome,
  type ToolResult,
  type WaitOptions,
} from './session.ts';
