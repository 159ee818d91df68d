import type { FirstRead, ReadOptions } from '@codicil/file-source';
import { joinPath, type ProjectPath } from '@codicil/project-path';
import { type Attempt, attemptIn } from './attempt.ts';
import { systemCode } from './disk.ts';
import { follow } from './following.ts';
import type { Host } from './host.ts';
import { Pace } from './pace.ts';
import type { PinnedFolder } from './pinned-folder.ts';
import { settle } from './reading.ts';

/** A candidate that may be there, with one try to read it; those before it are proved absent. */
interface Candidate {
  readonly index: number;
  readonly tried: Attempt;
}

/** The first of several names in a folder, all of them asked of one hold on it. */
export async function readFirst(
  host: Host,
  folder: ProjectPath,
  names: readonly string[],
  o: ReadOptions,
): Promise<FirstRead> {
  const pace = new Pace(o.signal);
  const passedOver: FirstRead['passedOver'][number][] = [];
  for (let from = 0; from < names.length; from++) {
    const candidate = nextCandidate(host, folder, names, from, o);
    if (candidate === undefined) break;
    from = candidate.index;
    const name = names[from] ?? '';
    const outcome = await settle(host, joinPath(folder, name), candidate.tried, o, pace);
    if (outcome.kind !== 'absent') return { name, outcome, passedOver };
    if (outcome.diagnostic !== undefined) passedOver.push(outcome.diagnostic);
  }
  return { name: undefined, outcome: { kind: 'absent' }, passedOver };
}

/** `undefined` when this and all later names are proved absent. */
function nextCandidate(
  host: Host,
  folder: ProjectPath,
  names: readonly string[],
  from: number,
  o: ReadOptions,
): Candidate | undefined {
  const unsure: Candidate = { index: from, tried: { kind: 'linked' } };
  if (!host.canSpell(folder)) return unsure;
  const pinned = host.tryPin(host.root.native(folder));
  // Below a folder that is not there lies nothing.
  if (pinned === undefined) return follow(host, folder).kind === 'absent' ? undefined : unsure;
  try {
    const found = firstIn(host, pinned, folder, names, from, o);
    return pinned.stands() ? found : unsure;
  } finally {
    pinned.close();
  }
}

function firstIn(
  host: Host,
  pinned: PinnedFolder,
  folder: ProjectPath,
  names: readonly string[],
  from: number,
  o: ReadOptions,
): Candidate | undefined {
  for (let index = from; index < names.length; index++) {
    const name = names[index] ?? '';
    const path = joinPath(folder, name);
    if (isNothing(pinned, name)) continue;
    // A source that ignores case must ask for the true spelling of each file.
    const spelled = host.canSpell(path) && !host.root.ignoresCase;
    const target = { path, parent: folder, realPath: path, direct: true };
    return { index, tried: spelled ? attemptIn(host, pinned, name, target, o) : { kind: 'linked' } };
  }
  return undefined;
}

/** A cheap look that tells no more than that nothing is there; whatever else it finds is left to the read. */
function isNothing(pinned: PinnedFolder, name: string): boolean {
  try {
    return pinned.lstat(name) === undefined;
  } catch (error) {
    systemCode(error);
    return false;
  }
}
