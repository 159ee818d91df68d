import { parseSessionId, type SessionId } from '@codicil/journal-records';

/** The name of a session's file. Capitals are spelled out, so that two sessions are two files on volumes that ignore case; no name is a device. */
export function fileNameOf(sessionId: SessionId): string {
  return `s-${sessionId.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}.jsonl`;
}

/** The session of a file; `undefined` for a file that is none of ours. */
export function sessionOf(fileName: string): SessionId | undefined {
  const name = /^s-([a-z0-9._=-]+)\.jsonl$/.exec(fileName)?.[1];
  return name === undefined
    ? undefined
    : parseSessionId(name.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}
