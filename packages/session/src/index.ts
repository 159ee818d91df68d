export { isSessionError, SessionError, type SessionErrorCode } from './error.ts';
export { digestOf, markedRequest, type RequestRecord, requestsOf } from './requests.ts';
export {
  openSession,
  type SentRequest,
  type Session,
  type SessionOptions,
  type ToolResult,
  type WaitOptions,
} from './session.ts';
