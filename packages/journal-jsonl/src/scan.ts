import { isJournalError, type JournalError, type Scanned, type SessionId } from '@codicil/journal-records';
import type { Disk } from './disk.ts';
import { frame } from './format.ts';
import { damaged, isOfSession, type Layout, readLayout, readMark, writeWhole } from './layout.ts';
import { type Place, passedJson } from './records.ts';
import { replay } from './replay.ts';

/** Reads every line of a file, whatever is wrong with it. A write that was cut off is told once, and said to be nothing from then on. */
export function* scanFile(disk: Disk, path: string, sessionId: SessionId): Generator<Scanned> {
  const file = disk.open(path);
  if (file === undefined) return;
  try {
    const layout = unlessDamaged(() => isOfSession(readLayout(disk, file, path), sessionId, path));
    if (isJournalError(layout)) yield { kind: 'damage', message: layout.message };
    const mark = isJournalError(layout) ? layout : unlessDamaged(() => readMark(disk, file, path, layout) ?? 0);
    if (!isJournalError(layout) && isJournalError(mark)) yield { kind: 'damage', message: mark.message };
    const to = disk.size(file);
    const { forkedFrom = null, start = 0, markAt = 0 }: Partial<Layout> = isJournalError(layout) ? {} : layout;
    const origin = forkedFrom?.at ?? null;
    const stretch = {
      disk,
      file,
      sessionId,
      origin,
      from: isJournalError(mark) ? markAt : start,
      to,
      leaf: origin,
      // Where it cannot be told what was acknowledged, all of it may have been.
      mark: isJournalError(mark) ? to : mark,
      isTailBroken: false,
    };
    const torn: Place[] = [];
    for (const read of replay(stretch)) {
      if (read.kind === 'accepted') yield { kind: 'entry', stored: read.stored };
      if (read.kind !== 'bad') continue;
      if (read.isAcknowledged) {
        yield { kind: 'damage', message: damaged(path, read.offset, read.why).message };
        continue;
      }
      torn.push({ from: read.offset, to: read.end });
      const message = `${path}: what lies at byte ${read.offset} was never acknowledged (${read.why}); it was closed and is passed over`;
      yield { kind: 'torn', message };
    }
    if (torn.length === 0) return;
    writeWhole(disk, file, torn.map((place) => frame(passedJson(place), sessionId)).join(''));
    disk.sync(file);
  } finally {
    disk.close(file);
  }
}

function unlessDamaged<T>(read: () => T): T | JournalError {
  try {
    return read();
  } catch (error) {
    if (isJournalError(error) && error.code === 'journal_corrupt') return error;
    throw error;
  }
}
