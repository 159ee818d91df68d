import { renameSync, symlinkSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { git, host, Place, place, told } from './worktrees.ts';

test('a linked worktree of a registered repository supplies its own top folder', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop'))];
  const top = disk.worktree(disk.at('shop'), 'feature');
  const cwd = disk.folder('feature', 'src', 'api');
  expect(await told(place(projects, { cwd }))).toBe(`shop worktree ${top}`);
  expect(await told(place(projects, { cwd, boundProjectId: 'shop' }))).toBe(`shop worktree ${top}`);
});

test('a worktree that lies inside its repository is a root of its own', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop'))];
  const top = disk.worktree(disk.at('shop'), 'shop', '.trees', 'feature');
  expect(await told(place(projects, { cwd: top }))).toBe(`shop worktree ${top}`);
  expect(await told(place(projects, { cwd: top, boundProjectId: 'shop' }))).toBe(`shop worktree ${top}`);
});

test('a linked worktree of another repository contributes nothing, even where a project is bound or around it', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop'))];
  const other = disk.repository('other');
  const outside = disk.worktree(other, 'feature');
  const inside = disk.worktree(other, 'shop', 'feature');
  for (const cwd of [outside, inside]) {
    expect(await told(place(projects, { cwd }))).toBe('foreign_worktree');
    expect(await told(place(projects, { cwd, boundProjectId: 'shop' }))).toBe('foreign_worktree');
  }
});

test('the nearest worktree decides between two repositories that are both registered', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop')), host('other', disk.repository('other'))];
  const top = disk.worktree(disk.at('other'), 'shop', 'feature');
  expect(await told(place(projects, { cwd: top }))).toBe(`other worktree ${top}`);
});

test('a worktree whose project the policy does not admit contributes nothing', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop'))];
  const cwd = disk.worktree(disk.at('shop'), 'feature');
  expect(await told(place(projects, { cwd, canAccess: () => false }))).toBe('foreign_worktree');
});

test('a repository is known by its real path, not by the name it is registered or linked under', async () => {
  using disk = new Place();
  disk.repository('real');
  symlinkSync(disk.at('real'), disk.at('alias'));
  const top = disk.worktree(disk.at('alias'), 'feature');
  expect(await told(place([host('shop', disk.at('alias'))], { cwd: top }))).toBe(`shop worktree ${top}`);
  disk.write('feature/.git', `gitdir: ${disk.at('alias', '.git', 'worktrees', 'feature')}\n`);
  expect(await told(place([host('shop', disk.at('real'))], { cwd: top }))).toBe(`shop worktree ${top}`);
});

test('no name of a folder is taken for a sign', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.folder('shop'))];
  disk.folder('shop', '.git');
  disk.write('somewhere/commondir', `${relative(disk.at('somewhere'), disk.at('shop', '.git'))}\n`);
  disk.write('somewhere/gitdir', `${disk.at('feature', '.git')}\n`);
  disk.write('feature/.git', 'gitdir: ../somewhere\n');
  expect(await told(place(projects, { cwd: disk.at('feature') }))).toBe(`shop worktree ${disk.at('feature')}`);
});

test('a folder that names a repository which does not know it proves nothing', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop'))];
  disk.worktree(disk.at('shop'), 'feature');
  disk.write('forged/.git', `gitdir: ${disk.at('shop', '.git', 'worktrees', 'feature')}\n`);
  expect(await told(place(projects, { cwd: disk.at('forged') }))).toBe('broken_pointer');
});

test('a relative pointer starts from the folder of its file, and `..` behind a link is taken where the link leads', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('deep', 'down', 'shop'))];
  const top = disk.worktree(disk.at('deep', 'down', 'shop'), 'feature');
  disk.folder('deep', 'down', 'beside');
  symlinkSync(disk.at('deep', 'down', 'beside'), disk.at('feature', 'way'));
  disk.write('feature/.git', 'gitdir: way/../shop/.git/worktrees/feature\n');
  expect(await told(place(projects, { cwd: top }))).toBe(`shop worktree ${top}`);
});

test('a worktree that moved together with its repository is found by relative pointers', async () => {
  using disk = new Place();
  disk.repository('home', 'shop');
  disk.worktree(disk.at('home', 'shop'), 'home', 'feature');
  disk.write('home/feature/.git', 'gitdir: ../shop/.git/worktrees/feature\r\n');
  disk.write('home/shop/.git/worktrees/feature/gitdir', '../../../../feature/.git\n');
  renameSync(disk.at('home'), disk.at('moved'));
  const projects = [host('shop', disk.at('moved', 'shop'))];
  const top = disk.at('moved', 'feature');
  expect(await told(place(projects, { cwd: top }))).toBe(`shop worktree ${top}`);
});

test('a submodule and a clone inside a project belong to the project, in a worktree too', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop'))];
  disk.repository('library');
  git(disk.at('shop'), 'submodule', '--quiet', 'add', disk.at('library'), 'lib');
  git(disk.at('shop'), 'commit', '--quiet', '--message', 'a submodule');
  disk.repository('shop', 'clone');
  for (const cwd of [disk.at('shop', 'lib'), disk.at('shop', 'clone')])
    expect(await told(place(projects, { cwd }))).toBe(`shop ${disk.at('shop')}`);
  const top = disk.worktree(disk.at('shop'), 'feature');
  git(top, 'submodule', '--quiet', 'update', '--init');
  expect(await told(place(projects, { cwd: disk.at('feature', 'lib') }))).toBe(`shop worktree ${top}`);
});

test('a project may be registered by a linked worktree, and then has the other worktrees of its repository', async () => {
  using disk = new Place();
  const repository = disk.repository('repository');
  const registered = disk.worktree(repository, 'registered');
  const sibling = disk.worktree(repository, 'sibling');
  const projects = [host('shop', registered)];
  expect(await told(place(projects, { cwd: registered }))).toBe(`shop ${registered}`);
  expect(await told(place(projects, { cwd: sibling }))).toBe(`shop worktree ${sibling}`);
  expect(await told(place(projects, { cwd: repository }))).toBe('unregistered_folder');
});

test('a project whose repository lies apart from its folder is matched by that repository', async () => {
  using disk = new Place();
  const shop = disk.folder('shop');
  git(shop, 'init', '--quiet', '--separate-git-dir', disk.at('store'));
  git(shop, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  const top = disk.worktree(shop, 'feature');
  expect(await told(place([host('shop', shop)], { cwd: top }))).toBe(`shop worktree ${top}`);
});

test('names with blanks, line breaks and letters of any script are followed', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository(' shöp\nof "all" '))];
  const top = disk.worktree(disk.at(' shöp\nof "all" '), 'feature ');
  expect(await told(place(projects, { cwd: top }))).toBe(`shop worktree ${top}`);
});

test('blanks at the ends of a pointer belong to the path', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop'))];
  disk.write('feature/ admin /commondir', '../../shop/.git');
  disk.write('feature/ admin /gitdir', '../.git');
  disk.write('feature/.git', 'gitdir:  admin \n');
  expect(await told(place(projects, { cwd: disk.at('feature') }))).toBe(`shop worktree ${disk.at('feature')}`);
});

test('a project inside a worktree of another repository is found by its own folder', async () => {
  using disk = new Place();
  const top = disk.worktree(disk.repository('other'), 'feature');
  const projects = [host('shop', disk.folder('feature', 'shop'))];
  const cwd = disk.folder('feature', 'shop', 'src');
  expect(await told(place(projects, { cwd }))).toBe(`shop ${disk.at('feature', 'shop')}`);
  expect(await told(place(projects, { cwd, boundProjectId: 'shop' }))).toBe(`shop ${disk.at('feature', 'shop')}`);
  expect(await told(place(projects, { cwd: top, boundProjectId: 'shop' }))).toBe('foreign_worktree');
});

const broken: readonly (readonly [string, string | Uint8Array])[] = [
  ['that is empty', ''],
  ['without a path', 'gitdir: \n'],
  ['without the blank that Git asks for', 'gitdir:../admin\n'],
  ['after a byte order mark', '\uFEFFgitdir: ../admin\n'],
  ['with the key in other letters', 'Gitdir: ../admin\n'],
  ['that leads nowhere', 'gitdir: ../gone\n'],
  ['that leads to a file', 'gitdir: ../admin/commondir\n'],
  ['with a NUL', 'gitdir: ../admin\0\n'],
  ['that is not UTF-8', Uint8Array.of(...new TextEncoder().encode('gitdir: ../admin'), 0xff)],
  ['that is larger than a pointer is', `gitdir: ${'./'.repeat(2_048)}../admin\n`],
];
for (const [name, text] of broken) {
  test(`a pointer ${name} proves nothing, so it takes nothing away, and it is named`, async () => {
    using disk = new Place();
    const projects = [host('shop', disk.repository('shop'))];
    disk.write('shop/odd/.git', text);
    disk.write('shop/admin/commondir', '../.git\n');
    const cwd = disk.at('shop', 'odd');
    for (const boundProjectId of [null, 'shop']) {
      const placement = await place(projects, { cwd, boundProjectId });
      expect(placement).toMatchObject({ kind: 'placed', root: disk.at('shop'), worktree: false });
      expect(placement.diagnostics.map(({ code, path }) => [code, path])).toEqual([['git_pointer_broken', 'odd']]);
    }
    disk.write('alone/.git', text);
    const alone = await place(projects, { cwd: disk.at('alone') });
    expect(alone).toMatchObject({ kind: 'none', reason: 'broken_pointer' });
    expect(alone.diagnostics).toMatchObject([
      { code: 'git_pointer_broken', path: '', facts: { folder: disk.at('alone') } },
    ]);
    const bound = await place(projects, { cwd: disk.at('alone'), boundProjectId: 'shop' });
    expect(bound).toMatchObject({ kind: 'placed', root: disk.at('shop') });
  });
}

test('what lies above a broken pointer still decides: a worktree of the own repository, and one of another', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop'))];
  const own = disk.worktree(disk.at('shop'), 'fix');
  const foreign = disk.worktree(disk.repository('other'), 'foreign');
  disk.write('fix/sub/.git', 'gitdir: gone\n');
  disk.write('foreign/sub/.git', 'gitdir: gone\n');
  for (const boundProjectId of [null, 'shop']) {
    expect(await told(place(projects, { cwd: disk.at('fix', 'sub'), boundProjectId }))).toBe(`shop worktree ${own}`);
    expect(await told(place(projects, { cwd: `${foreign}/sub`, boundProjectId }))).toBe('foreign_worktree');
  }
});

test('a pointer that the repository does not name back never moves the root', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop'))];
  disk.worktree(disk.at('shop'), 'fix');
  disk.write('shop/forged/.git', `gitdir: ${disk.at('shop', '.git', 'worktrees', 'fix')}\n`);
  const placement = await place(projects, { cwd: disk.at('shop', 'forged'), boundProjectId: 'shop' });
  expect(placement).toMatchObject({ kind: 'placed', root: disk.at('shop'), worktree: false });
});

test('a `.git` or a `commondir` that nobody can read as one proves nothing', async () => {
  using disk = new Place();
  const projects = [host('shop', disk.repository('shop'))];
  disk.folder('shop', 'a');
  symlinkSync('.git', disk.at('shop', 'a', '.git'));
  disk.folder('shop', 'admin', 'commondir');
  disk.write('shop/b/.git', 'gitdir: ../admin\n');
  disk.write('shop/empty/commondir', '\n');
  disk.write('shop/c/.git', 'gitdir: ../empty\n');
  for (const name of ['a', 'b', 'c'])
    expect((await place(projects, { cwd: disk.at('shop', name) })).diagnostics).toMatchObject([{ path: name }]);
});

test('a broken `.git` of the registered folder itself does not matter to what lies in it', async () => {
  using disk = new Place();
  disk.write('shop/.git', 'gitdir: nowhere\n');
  const projects = [host('shop', disk.at('shop'))];
  expect(await told(place(projects, { cwd: disk.folder('shop', 'src') }))).toBe(`shop ${disk.at('shop')}`);
});
