import type { ReadOptions, ReadOutcome } from '@codicil/file-source';
import { baseName, type ProjectPath, parentOf } from '@codicil/project-path';
import { type Attempt, attempt, attemptIn, isLarge } from './attempt.ts';
import type { Host } from './host.ts';
import { Pace } from './pace.ts';
import { refusals } from './refusals.ts';
import { sameFigures } from './stamps.ts';

/** A file that changed in this many tries is called unstable. */
const ATTEMPTS = 3;
/** Waits before each look at what is too young, in milliseconds: together longer than a writer leaves a file empty that it is about to fill. */
const WAITS = [1, 2, 4, 8, 16, 32] as const;

/** A file that has to be looked at again. */
interface Waiting {
  readonly index: number;
  readonly path: ProjectPath;
  changes: number;
  /** For how many milliseconds it has been the same at each look. */
  quiet: number;
  last: Attempt;
}

/** A large file that was just written must be quiet for so long: one whose writer was held up in its midst goes on before. In milliseconds. */
const QUIET = 31;

/** One file: the way without a word more than it takes. */
export async function readFile(host: Host, path: ProjectPath, o: ReadOptions): Promise<ReadOutcome> {
  const pace = new Pace(o.signal);
  return settle(host, path, attempt(host, path, o), o, pace);
}

/** The outcome of a file that one try was spent on. */
export async function settle(
  host: Host,
  path: ProjectPath,
  tried: Attempt,
  o: ReadOptions,
  pace: Pace,
): Promise<ReadOutcome> {
  // A link is followed by the longer way, which answers anything but `linked`.
  const last = tried.kind === 'linked' ? attempt(host, path, o) : tried;
  if (pace.due()) await pace.rest();
  if (last.kind === 'done') return last.outcome;
  const outcomes: ReadOutcome[] = [unstable(path)];
  await lookAgain(
    host,
    [{ index: 0, path, last, quiet: 0, changes: last.kind === 'young' ? 0 : 1 }],
    outcomes,
    o,
    pace,
  );
  return outcomes[0] ?? unstable(path);
}

export async function readFiles(
  host: Host,
  paths: readonly ProjectPath[],
  o: ReadOptions,
): Promise<readonly ReadOutcome[]> {
  const pace = new Pace(o.signal);
  const outcomes = new Array<ReadOutcome>(paths.length);
  const waiting: Waiting[] = [];
  const take = (index: number, path: ProjectPath, tried: Attempt): void => {
    // A link is followed by the longer way, which answers anything but `linked`.
    const last = tried.kind === 'linked' ? attempt(host, path, o) : tried;
    if (last.kind === 'done') outcomes[index] = last.outcome;
    else waiting.push({ index, path, last, quiet: 0, changes: last.kind === 'young' ? 0 : 1 });
  };
  for (const [parent, members] of byFolder(paths)) {
    await readFolder(host, parent, members, o, pace, take);
    if (pace.due()) await pace.rest();
  }
  await lookAgain(host, waiting, outcomes, o, pace);
  return outcomes;
}

interface Member {
  readonly index: number;
  readonly path: ProjectPath;
}

function byFolder(paths: readonly ProjectPath[]): ReadonlyMap<ProjectPath | undefined, Member[]> {
  const folders = new Map<ProjectPath | undefined, Member[]>();
  for (const [index, path] of paths.entries()) {
    const parent = parentOf(path);
    const members = folders.get(parent);
    if (members === undefined) folders.set(parent, [{ index, path }]);
    else members.push({ index, path });
  }
  return folders;
}

/** Reads the files of one folder through one hold on it. */
async function readFolder(
  host: Host,
  parent: ProjectPath | undefined,
  members: readonly Member[],
  o: ReadOptions,
  pace: Pace,
  take: (index: number, path: ProjectPath, tried: Attempt) => void,
): Promise<void> {
  // A source that ignores case must ask for the true spelling of each file.
  const folder = parent === undefined || host.root.ignoresCase ? undefined : host.tryPin(host.root.native(parent));
  if (folder === undefined) {
    for (const { index, path } of members) {
      if (pace.due()) await pace.rest();
      take(index, path, { kind: 'linked' });
    }
    return;
  }
  const tried: { readonly member: Member; readonly attempt: Attempt }[] = [];
  try {
    for (const member of members) {
      const { path } = member;
      if (pace.due()) await pace.rest();
      const one: Attempt = host.canSpell(path)
        ? attemptIn(host, folder, baseName(path), { path, parent, realPath: path, direct: true }, o)
        : { kind: 'linked' };
      tried.push({ member, attempt: one });
    }
    // Moved away meanwhile, or in another root: nothing that came from it is proved to come from inside.
    const still = folder.stands();
    for (const { member, attempt: one } of tried) {
      if (pace.due()) await pace.rest();
      take(member.index, member.path, still ? one : { kind: 'linked' });
    }
  } finally {
    folder.close();
  }
}

/** Reads what changed or was too young again, all of it after each wait, until two looks agree. */
async function lookAgain(
  host: Host,
  waiting: readonly Waiting[],
  outcomes: ReadOutcome[],
  o: ReadOptions,
  pace: Pace,
): Promise<void> {
  let left = waiting;
  for (const milliseconds of WAITS) {
    if (left.length === 0) return;
    await host.wait(milliseconds);
    pace.resume();
    const still: Waiting[] = [];
    for (const one of left) {
      if (pace.due()) await pace.rest();
      const outcome = judge(one, attempt(host, one.path, o), milliseconds);
      if (outcome === undefined) still.push(one);
      else outcomes[one.index] = outcome;
    }
    left = still;
  }
  for (const { index, path, last, changes } of left) {
    // Empty all the while: a file of nothing, and no writer's pause.
    const settled = last.kind === 'young' && changes === 0;
    if (settled) host.rememberEmpty(path, last.stat);
    outcomes[index] = settled ? last.file : unstable(path);
  }
}

/** The outcome, or `undefined` to look once more. */
function judge(one: Waiting, now: Attempt, waited: number): ReadOutcome | undefined {
  const { last } = one;
  one.last = now;
  if (now.kind === 'done') return now.outcome;
  if (now.kind === 'young' && last.kind === 'young' && sameFigures(last.stat, now.stat)) {
    if (Buffer.compare(last.file.bytes, now.file.bytes) === 0) {
      one.quiet += waited;
      if (now.file.bytes.length === 0) return undefined;
      return one.quiet >= (isLarge(now.file.bytes) ? QUIET : 0) ? now.file : undefined;
    }
  }
  one.quiet = 0;
  if (now.kind !== 'young' || last.kind === 'young') one.changes += 1;
  return one.changes >= ATTEMPTS ? unstable(one.path) : undefined;
}

function unstable(path: ProjectPath): ReadOutcome {
  return { kind: 'unavailable', diagnostic: refusals.unstable(path, ATTEMPTS) };
}
