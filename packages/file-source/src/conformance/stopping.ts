import { rejects } from 'node:assert/strict';
import { asFile, type ConformanceCase, inside, pathOf, read, statement } from './case.ts';

export const stoppingCases: readonly ConformanceCase[] = [
  statement(
    'every method rejects with the reason of a signal that is aborted',
    [{ path: 'd/a.md', text: 'a' }],
    async (made) => {
      const reason = new Error('enough');
      const signal = AbortSignal.abort(reason);
      const isReason = (error: unknown): boolean => error === reason;
      const { source } = made;
      const path = pathOf('d/a.md');
      const known = [{ path, stamp: asFile(await read(made, 'd/a.md')).stamp }];
      await rejects(source.read(path, { ...inside, signal }), isReason);
      await rejects(source.readMany([path], { ...inside, signal }), isReason);
      await rejects(source.readFirst(pathOf('d'), ['a.md'], { ...inside, signal }), isReason);
      await rejects(source.list(pathOf('d'), { maxEntries: 10, signal }), isReason);
      await rejects(source.locate('d/a.md', { signal }), isReason);
      await rejects(source.changed(known, { signal }), isReason);
    },
  ),
  statement('a signal that is not aborted changes nothing', [{ path: 'd/a.md', text: 'a' }], async (made) => {
    const { signal } = new AbortController();
    asFile(await made.source.read(pathOf('d/a.md'), { ...inside, signal }));
  }),
];
