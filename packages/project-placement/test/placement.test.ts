import { symlinkSync } from 'node:fs';
import type { GitFiles } from '@codicil/project-placement';
import { expect, test } from 'vitest';
import { host, Place, place, told } from './worktrees.ts';

/** Fails the test when the disk is looked at. */
const noFiles: GitFiles = {
  platform: 'posix',
  realPath: () => Promise.reject(new Error('the disk was asked')),
  kind: () => Promise.reject(new Error('the disk was asked')),
  readText: () => Promise.reject(new Error('the disk was asked')),
};

const guest = { kind: 'managed', id: 'guest', root: '/workspace' } as const;

test('the bound project wins over the one that contains the folder', async () => {
  using disk = new Place();
  const projects = [host('a', disk.folder('a')), host('b', disk.folder('b'))];
  expect(await told(place(projects, { boundProjectId: 'a', cwd: disk.at('b') }))).toBe(`a ${disk.at('a')}`);
});

test('a binding that cannot be used never gives way to the folder', async () => {
  using disk = new Place();
  const projects = [host('a', disk.folder('a')), host('b', disk.folder('b'))];
  const cwd = disk.at('b');
  expect(await told(place(projects, { boundProjectId: 'gone', cwd }))).toBe('unregistered_binding');
  const canAccess = ({ id }: { readonly id: string }) => id === 'b';
  expect(await told(place(projects, { boundProjectId: 'a', cwd, canAccess }))).toBe('inaccessible_binding');
});

test('a bound project without a folder to look at is placed at its root, and no disk is asked', async () => {
  expect(await told(place([host('a', '/a')], { boundProjectId: 'a', files: noFiles }))).toBe('a /a');
});

test('a managed project keeps its guest root, and no disk is asked', async () => {
  expect(await told(place([guest], { boundProjectId: 'guest', cwd: '/workspace', files: noFiles }))).toBe(
    'guest /workspace',
  );
});

test('the guest root of a managed project contains no folder of this machine', async () => {
  using disk = new Place();
  const managed = { ...guest, root: disk.folder('a') };
  expect(await told(place([managed], { cwd: disk.at('a') }))).toBe('unregistered_folder');
});

test('the deepest project that contains the folder is chosen, whatever their order', async () => {
  using disk = new Place();
  const cwd = disk.folder('a', 'b', 'c');
  const projects = [host('outer', disk.at('a')), host('inner', disk.at('a', 'b')), host('all', disk.root)];
  for (const order of [projects, projects.toReversed()])
    expect(await told(place(order, { cwd }))).toBe(`inner ${disk.at('a', 'b')}`);
});

test('a project that the policy does not admit is passed over for the one around it', async () => {
  using disk = new Place();
  const cwd = disk.folder('a', 'b');
  const projects = [host('outer', disk.at('a')), host('inner', cwd)];
  const canAccess = ({ id }: { readonly id: string }) => Promise.resolve(id === 'outer');
  expect(await told(place(projects, { cwd, canAccess }))).toBe(`outer ${disk.at('a')}`);
});

test('a folder whose name only begins like a project lies outside it', async () => {
  using disk = new Place();
  disk.folder('shop');
  expect(await told(place([host('shop', disk.at('shop'))], { cwd: disk.folder('shop-old') }))).toBe(
    'unregistered_folder',
  );
});

test('links count for where they lead, in the folder and in the registration', async () => {
  using disk = new Place();
  const inside = disk.folder('real', 'src');
  symlinkSync(disk.at('real'), disk.at('alias'));
  symlinkSync(disk.folder('elsewhere'), disk.at('real', 'way-out'));
  const projects = [host('a', disk.at('alias'))];
  expect(await told(place(projects, { cwd: inside }))).toBe(`a ${disk.at('alias')}`);
  expect(await told(place(projects, { cwd: disk.at('alias', 'src') }))).toBe(`a ${disk.at('alias')}`);
  expect(await told(place(projects, { cwd: disk.at('real', 'way-out') }))).toBe('unregistered_folder');
});

test('a session without a binding and without a usable folder has no project', async () => {
  using disk = new Place();
  const projects = [host('a', disk.root)];
  expect(await told(place(projects, {}))).toBe('no_folder');
  expect(await told(place(projects, { cwd: disk.at('absent') }))).toBe('unresolved_folder');
  expect(await told(place(projects, { cwd: 'packages' }))).toBe('unresolved_folder');
});

test('a bound project is placed though the folder went away, and not where it cannot be looked at', async () => {
  using disk = new Place();
  const projects = [host('a', disk.folder('a'))];
  expect(await told(place(projects, { boundProjectId: 'a', cwd: disk.at('gone') }))).toBe(`a ${disk.at('a')}`);
  symlinkSync(disk.at('loop'), disk.at('loop'));
  expect(await told(place(projects, { boundProjectId: 'a', cwd: disk.at('loop') }))).toBe('unresolved_folder');
});

test('a registered folder that is gone does not stand in the way of the others', async () => {
  using disk = new Place();
  const projects = [host('gone', disk.at('gone')), host('a', disk.folder('a'))];
  expect(await told(place(projects, { cwd: disk.at('a') }))).toBe(`a ${disk.at('a')}`);
});

test('an aborted question asks the disk no further', async () => {
  const signal = AbortSignal.abort();
  const files: GitFiles = { ...noFiles, realPath: async (path) => ({ kind: 'real', path }) };
  await expect(place([host('a', '/a')], { cwd: '/a', files, signal })).rejects.toThrow('aborted');
});
