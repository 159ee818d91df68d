import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { mutantPlugin } from './tooling/mutants/plugin.ts';

const packages = readdirSync('packages').map((name) => `packages/${name}`);
const apps = readdirSync('apps').map((name) => `apps/${name}`);

export default defineConfig({
  plugins: [mutantPlugin()],
  resolve: { conditions: ['@codicil/source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['@codicil/source', 'node', 'import', 'default'] } },
  test: {
    projects: [...packages, ...apps, 'tooling'].map((folder) => ({
      extends: true,
      test: {
        name: folder.split('/').at(-1) ?? folder,
        include: [folder === 'tooling' ? 'tooling/*/test/**/*.test.ts' : `${folder}/test/**/*.test.ts`],
        setupFiles: ['tooling/build/test-setup.ts'],
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
