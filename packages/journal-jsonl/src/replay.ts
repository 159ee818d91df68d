import type { EntryId, SessionId, StoredEntry } from '@codicil/journal-records';
import type { Disk } from './disk.ts';
import { parseLine } from './format.ts';
import { linesBackward, linesForward } from './lines.ts';
import { isPassed, type Place, parseRecord, type StoredRecord } from './records.ts';

/** What is read of a file from one place on. */
export interface Stretch {
  readonly disk: Disk;
  readonly file: number;
  readonly sessionId: SessionId;
  /** The leaf of the session before its first entry. */
  readonly origin: EntryId | null;
  readonly from: number;
  readonly to: number;
  /** The leaf at `from`. */
  readonly leaf: EntryId | null;
  /** What lies below was acknowledged. */
  readonly mark: number;
  /** Whether something beyond the mark was passed over before `from`. */
  readonly isTailBroken: boolean;
}

export type Replayed =
  | { readonly kind: 'accepted'; readonly stored: StoredEntry; readonly end: number }
  /** An attempt that was too late, or a record of the store's own. */
  | { readonly kind: 'other'; readonly end: number }
  /** A line that counts for nothing. Whoever reads on gets what follows it. */
  | ({ readonly kind: 'bad' } & BadLine);

export interface BadLine {
  readonly offset: number;
  readonly end: number;
  readonly why: string;
  /** What does not end may still be growing. */
  readonly isClosed: boolean;
  /** `false` for what was cut off before anyone was told of it. */
  readonly isAcknowledged: boolean;
}

/** The rule of the file: whoever expected the leaf that stands at that place comes in, everyone else was too late. */
export function* replay(stretch: Stretch): Generator<Replayed> {
  const { disk, file, sessionId, mark } = stretch;
  let { leaf, isTailBroken } = stretch;
  let passed: readonly Place[] | undefined;
  for (const { offset, bytes, isClosed } of linesForward(disk, file, stretch.from, stretch.to)) {
    const end = offset + bytes.length;
    const isPassedOver = (from: number): boolean => {
      passed ??= [...passedIn(stretch, end)];
      return isWithin(passed, from, end);
    };
    const parsed = parseLine(bytes, sessionId);
    if (parsed.kind === 'blank') continue;
    const soundTo = offset + (parsed.kind === 'record' ? parsed.length : 0);
    if (parsed.kind === 'record') yield* read(parseRecord(parsed.json), { offset, end: soundTo }, isPassedOver);
    if (soundTo === end || isPassedOver(soundTo)) continue;
    isTailBroken ||= soundTo >= mark;
    const why = parsed.kind === 'bad' ? parsed.why : 'zeros follow the record';
    yield { kind: 'bad', offset: soundTo, end, why, isClosed, isAcknowledged: soundTo < mark };
  }

  function* read(
    record: StoredRecord,
    { offset, end }: { readonly offset: number; readonly end: number },
    isPassedOver: (from: number) => boolean,
  ): Generator<Replayed> {
    if (record.kind === 'snapshot' && record.upTo > offset) {
      const why = 'something before it is missing';
      yield { kind: 'bad', offset, end, why, isClosed: true, isAcknowledged: true };
    }
    if (record.kind !== 'attempt') {
      yield { kind: 'other', end };
      return;
    }
    const { expected, stored } = record;
    if (expected !== leaf) {
      if (isKnown(stretch, expected, offset) || isPassedOver(offset)) {
        yield { kind: 'other', end };
        return;
      }
      // A write of several entries may lose one in the middle with the power; none of them was acknowledged then.
      const isAcknowledged = offset < mark || !isTailBroken;
      const why = `entry ${expected}, which its writer saw before it, is missing`;
      yield { kind: 'bad', offset, end, why, isClosed: true, isAcknowledged };
      if (!isAcknowledged) return;
    }
    leaf = stored.id;
    yield { kind: 'accepted', stored, end };
  }
}

/** Whether a later writer said that what lies there is nothing. */
export function isWithin(passed: readonly Place[], from: number, to: number): boolean {
  return passed.some((place) => place.from <= from && to <= place.to);
}

function* passedIn({ disk, file, sessionId, to }: Stretch, from: number): Generator<Place> {
  for (const { bytes } of linesForward(disk, file, from, to)) {
    const parsed = parseLine(bytes, sessionId);
    if (parsed.kind !== 'record' || !isPassed(parsed.json)) continue;
    const record = parseRecord(parsed.json);
    if (record.kind === 'passed') yield record;
  }
}

/** Whoever was too late had seen a leaf that stood here once. */
function isKnown({ disk, file, sessionId, origin }: Stretch, id: EntryId | null, before: number): boolean {
  if (id === origin) return true;
  for (const { bytes } of linesBackward(disk, file, before)) {
    if (!bytes.includes(`"id":${JSON.stringify(id)}`)) continue;
    const parsed = parseLine(bytes, sessionId);
    if (parsed.kind !== 'record') continue;
    const record = parseRecord(parsed.json);
    if (record.kind === 'attempt' && record.stored.id === id) return true;
  }
  return false;
}
