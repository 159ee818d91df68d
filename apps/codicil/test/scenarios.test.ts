import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ReplayedRequest, replay } from '../src/replay/replay.ts';
import { readScenario, STEP_NAMES, step } from '../src/replay/scenario.ts';

interface Lifetime {
  readonly title: string;
  readonly scenario: object;
  /** The records that the last request of each session holds: `path`, `path again`, `path removed`, `path removed for successor`. */
  readonly last: Readonly<Record<string, readonly (readonly string[])[]>>;
}

interface Message {
  readonly role: string;
  readonly kind: string;
  readonly text: string;
  readonly toolCalls?: readonly object[];
  readonly instructions?: readonly { readonly relPath: string; readonly supersedes: string | null }[];
  readonly removed?: readonly { readonly relPath: string; readonly successor: string | null }[];
}

const messagesOf = (request: ReplayedRequest): readonly Message[] => request.messages as readonly Message[];

async function played(scenario: object): Promise<readonly ReplayedRequest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'codicil-scenario-'));
  try {
    const file = join(folder, 'scenario.json');
    writeFileSync(file, JSON.stringify(scenario));
    const requests: ReplayedRequest[] = [];
    for await (const request of replay(await readScenario(file), folder)) requests.push(request);
    return requests;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a record says, less the text. */
function recordsOf(request: ReplayedRequest): readonly (readonly string[])[] {
  const records = messagesOf(request).filter(({ kind }) => kind === 'instructions');
  return records.map(({ instructions = [], removed = [] }) => [
    ...removed.map(({ relPath, successor }) => `${relPath} removed${successor === null ? '' : ` for ${successor}`}`),
    ...instructions.map(({ relPath, supersedes }) => (supersedes === null ? relPath : `${relPath} again`)),
  ]);
}

/** No record stands between a tool call and its results. */
function expectUnbroken(request: ReplayedRequest): void {
  let open = 0;
  for (const { role, kind, toolCalls = [] } of messagesOf(request)) {
    if (role === 'assistant') open = toolCalls.length;
    else if (role === 'tool') open--;
    else expect([kind, open]).toEqual([kind, 0]);
  }
}

const lifetimes: readonly Lifetime[] = JSON.parse(
  readFileSync(new URL('scenarios/lifetimes.json', import.meta.url), 'utf8'),
);

test.each(lifetimes)('$title', async ({ scenario, last }) => {
  const requests = await played({ ...scenario, journal: 'sqlite' });
  const lastOf = new Map(requests.map((request) => [request.session, request]));
  const found = Object.fromEntries([...lastOf].map(([session, request]) => [session, recordsOf(request)]));
  expect(found).toEqual(last);
  for (const request of requests) expectUnbroken(request);
  for (const request of requests) expect(request.system).toBe(requests[0]?.system);
});

test('an earlier request is a prefix of the next wherever nothing was taken back', async () => {
  const takesBack = /"(?:compact|clear|rewind|fork|spawn|session)"/;
  const straight = lifetimes.filter(({ scenario }) => !takesBack.test(JSON.stringify(scenario)));
  expect(straight.length).toBeGreaterThan(20);
  for (const { scenario } of straight) {
    const requests = await played({ ...scenario, journal: 'memory' });
    for (const [index, { messages }] of requests.slice(1).entries()) {
      const earlier = requests[index]?.messages ?? [];
      expect(messages.slice(0, earlier.length)).toEqual(earlier);
    }
  }
});

test.each(['jsonl', 'memory'])('every lifetime gives the same requests on the journal %s', async (journal) => {
  for (const { scenario } of lifetimes) {
    const [expected, found] = await Promise.all([
      played({ ...scenario, journal: 'sqlite' }),
      played({ ...scenario, journal }),
    ]);
    expect(found).toEqual(expected);
  }
});

test('the page of scenarios shows each step in a form that is understood', () => {
  const page = readFileSync(new URL('../../../docs/scenarios.md', import.meta.url), 'utf8');
  const forms = [...page.matchAll(/^\| `(\{.*?\})` \|/gm)].map(([, form = '']) => step.parse(JSON.parse(form)));
  expect([...new Set(forms.flatMap((form) => Object.keys(form)[0] ?? []))].sort()).toEqual([...STEP_NAMES].sort());
});
