import { hash } from 'node:crypto';
import { parseSessionId, type SessionId } from '@codicil/journal-records';

/** Bytes of an encoded id that a file's name holds; file systems take 255, and a draft's name is longer than the file's. */
const MAX_ENCODED = 180;
const BEGINNING = 100;
const HASH_DIGITS = 32;

/**
 * The name of a session's file. Capitals are spelled out, so that two sessions are two files on volumes that ignore case; no name is a device. A long one is cut and
 * ends with a hash of the id.
 */
export function fileNameOf(sessionId: SessionId): string {
  const encoded = sessionId.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`);
  if (encoded.length <= MAX_ENCODED) return `s-${encoded}.jsonl`;
  return `s-${encoded.slice(0, BEGINNING)}~${hash('sha256', sessionId).slice(0, HASH_DIGITS)}.jsonl`;
}

/** The session of a file; `cut` where only the file itself can tell; `undefined` for a file that is none of ours. */
export function sessionOf(fileName: string): SessionId | 'cut' | undefined {
  if (/^s-[a-z0-9._=-]{100}~[0-9a-f]{32}\.jsonl$/.test(fileName)) return 'cut';
  const name = /^s-([a-z0-9._=-]+)\.jsonl$/.exec(fileName)?.[1];
  return name === undefined
    ? undefined
    : parseSessionId(name.replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}
