export {
  type Account,
  MAX_CHAIN,
  proveScope,
  type RefusalReason,
  type Scope,
  type ScopeQuestion,
  type SessionKind,
  type SessionRow,
} from './scope.ts';
