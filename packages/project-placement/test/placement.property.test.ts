import { type HostProject, type Placement, placeSession } from '@codicil/project-placement';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyScenario, filesOf, memoryFiles, projectsOf, type Scenario, type Site } from './memory.ts';

/** A registered folder or the top of a worktree, and the project it stands for; `undefined` for a worktree that stands for none. */
interface Root {
  readonly path: string;
  readonly id: string | undefined;
  readonly worktree: boolean;
}

test('without a binding the deepest root above the folder decides, whatever the pointers look like', async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario(), async (scenario) => {
      const deepest = deepestOf(rootsOf(scenario, accessibleOf(scenario)), scenario);
      expect(brief(await ask(scenario, null))).toEqual(
        deepest === undefined ? 'unregistered_folder' : (said(deepest) ?? 'foreign_worktree'),
      );
    }),
    { numRuns: 1_000 },
  );
});

test('a bound project is at its root, or in a worktree of its own repository, or nowhere', async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario(), async (scenario) => {
      for (const { id, root } of accessibleOf(scenario)) {
        const own = { path: root, id, worktree: false };
        const trees = rootsOf(scenario, projectsOf(scenario)).filter(({ worktree }) => worktree);
        const nearest = deepestOf([...trees, own], scenario) ?? own;
        expect(brief(await ask(scenario, id))).toEqual(nearest.id === id ? said(nearest) : 'foreign_worktree');
      }
    }),
    { numRuns: 1_000 },
  );
});

test('projects that the policy does not admit change nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario(), async (scenario) => {
      expect(await ask(scenario, null, accessibleOf(scenario))).toEqual(await ask(scenario, null));
    }),
    { numRuns: 500 },
  );
});

test('P1 whatever stands in the pointers, the root is the registered one or a worktree that the repository names back, and only a foreign worktree takes a bound project away', async () => {
  const piece = fc.constantFrom(
    'gitdir: ',
    'gitdir:',
    '/p',
    '/.git',
    '/w',
    '..',
    '/',
    '\n',
    '\r',
    '\0',
    ' ',
    '\uFEFF',
    './a',
  );
  const loose = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const text = fc.oneof(
    loose,
    loose.map((rest) => `gitdir: /p/${rest}`),
    fc.string({ unit: 'binary' }),
  );
  const honest = ['gitdir: /p/.git\n', '.\n', '/w/.git\n'] as const;
  const pointers = fc.oneof(
    { arbitrary: fc.tuple(text, text, text), weight: 8 },
    { arbitrary: fc.tuple(fc.constant(honest[0]), fc.constant(honest[1]), text), weight: 1 },
    { arbitrary: fc.constant(honest), weight: 1 },
  );
  const project: HostProject = { kind: 'host', id: 'p', root: '/p' };
  await fc.assert(
    fc.asyncProperty(pointers, fc.constantFrom('p', null), async ([gitdir, commondir, back], boundProjectId) => {
      const texts = new Map([
        ['/w/.git', gitdir],
        ['/p/.git/commondir', commondir],
        ['/p/.git/gitdir', back],
      ]);
      const files = memoryFiles('posix', new Set(['/p/.git', '/w/src']), texts);
      const question = { boundProjectId, cwd: '/w/src', projects: [project], canAccess: () => true, files };
      const answer = await placeSession(question);
      const namesBack = back.replace(/[\r\n]+$/, '') === '/w/.git';
      if (answer.kind === 'placed') expect(answer.root).toBe(answer.worktree ? '/w' : '/p');
      if (answer.kind === 'placed' && answer.worktree) expect(namesBack).toBe(true);
      if (answer.kind === 'placed') expect(answer.worktree || boundProjectId === 'p').toBe(true);
      if (answer.kind === 'none' && boundProjectId === 'p') expect(answer.reason).toBe('foreign_worktree');
      if (answer.kind === 'none' && boundProjectId === null) {
        expect(['broken_pointer', 'foreign_worktree', 'unregistered_folder']).toContain(answer.reason);
      }
    }),
    { numRuns: 1_000 },
  );
});

function ask(
  scenario: Scenario,
  boundProjectId: string | null,
  registered?: readonly HostProject[],
): Promise<Placement> {
  const accessible = new Set(accessibleOf(scenario).map(({ id }) => id));
  return placeSession({
    boundProjectId,
    cwd: scenario.cwd,
    projects: registered ?? projectsOf(scenario),
    canAccess: ({ id }) => accessible.has(id),
    files: filesOf(scenario),
  });
}

function accessibleOf(scenario: Scenario): readonly HostProject[] {
  const accessible = new Set(scenario.sites.filter((site) => site.accessible).map(({ path }) => path));
  return projectsOf(scenario).filter(({ root }) => accessible.has(root));
}

function rootsOf(scenario: Scenario, projects: readonly HostProject[]): readonly Root[] {
  const asRoot = ({ path, repository }: Site): Root => {
    const id = projects.find((project) => project.id === `${repository}`)?.id;
    return { path, id, worktree: true };
  };
  const trees = scenario.sites.filter(({ kind }) => kind === 'worktree').map(asRoot);
  return [...trees, ...projects.map(({ id, root }) => ({ path: root, id, worktree: false }))];
}

function deepestOf(roots: readonly Root[], { cwd, platform }: Scenario): Root | undefined {
  const sep = platform === 'win32' ? '\\' : '/';
  return roots
    .filter(({ path }) => `${cwd}${sep}`.startsWith(`${path}${sep}`))
    .sort((left, right) => right.path.length - left.path.length)[0];
}

function said({ path, id, worktree }: Root): object | undefined {
  return id === undefined ? undefined : { id, root: path, worktree };
}

function brief(answer: Placement): object | string {
  if (answer.kind === 'none') return answer.reason;
  return { id: answer.project.id, root: answer.root, worktree: answer.worktree };
}
