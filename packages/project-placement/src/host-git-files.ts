import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type { GitFiles, PathKind, PointerText, RealPath } from './git-files.ts';

/** The files of this machine. Each call is a few system calls in one go; none of them waits for the other end of a FIFO. */
export function hostGitFiles(): GitFiles {
  return {
    platform: process.platform === 'win32' ? 'win32' : 'posix',
    realPath: async (path) => realPath(path),
    kind: async (path) => kindOf(path),
    readText: async (path, maxBytes) => readText(path, maxBytes),
  };
}

/** What says that nothing is there: no such name, or a file where a folder would have to be. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

function whyNot(error: unknown): 'absent' | 'unknown' {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  return ABSENT.has(error.code) ? 'absent' : 'unknown';
}

function realPath(path: string): RealPath {
  try {
    // The system's own: the one written in JavaScript resolves `..` before it follows links.
    return { kind: 'real', path: realpathSync.native(path) };
  } catch (error) {
    return { kind: whyNot(error) };
  }
}

function kindOf(path: string): PathKind {
  try {
    const stat = statSync(path);
    if (stat.isFile()) return 'file';
    return stat.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    return whyNot(error);
  }
}

function readText(path: string, maxBytes: number): PointerText {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return { kind: whyNot(error) === 'absent' ? 'absent' : 'unusable' };
  }
  try {
    if (!fstatSync(descriptor).isFile()) return { kind: 'unusable' };
    // One byte more than allowed tells a file that is too large, whatever its size was said to be.
    const buffer = new Uint8Array(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    const bytes = buffer.subarray(0, length);
    if (length > maxBytes || !isUtf8(bytes)) return { kind: 'unusable' };
    return { kind: 'text', text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    whyNot(error);
    return { kind: 'unusable' };
  } finally {
    closeSync(descriptor);
  }
}
