// Packs every package and proves each tarball alone: it installs into an empty project, imports, runs its README example,
// resolves its types, and needs nothing that it does not declare. Then a version and a dry publish of one package without the others.
// usage: node tooling/release/check.mjs [--package NAME]
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { publishedPackages, root } from './packages.mjs';
import { readmeExample, readmeInstalls } from './readme.mjs';
import { checkVersioning } from './versioning.mjs';

const { values } = parseArgs({ options: { package: { type: 'string' } } });
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
const allowBuilds = workspace.slice(workspace.indexOf('allowBuilds:'));
const home = mkdtempSync(join(tmpdir(), 'codicil-release-'));
const tarballs = join(home, 'tarballs');
mkdirSync(tarballs);

function run(command, args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined } });
    let stdout = '';
    let output = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ status: 1, stdout, output: String(error) }));
    child.on('close', (status) => resolve({ status: status ?? 1, stdout, output }));
  });
}
const pnpm = (args, cwd) => run('npx', ['--yes', packageManager, ...args], cwd);
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** The tarball that a manifest's name and version give. */
const tarballOf = ({ name, version }) => join(tarballs, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);

function manifestOf(all, name) {
  const found = all.find(({ manifest }) => manifest.name === name);
  if (found === undefined) throw new Error(`the README installs ${name}, which is no package of this project`);
  return found.manifest;
}

async function must(what, result) {
  const { status, output } = await result;
  if (status !== 0) throw new Error(`${what}\n${output.trim().split('\n').slice(-30).join('\n')}`);
}

async function checkPackage({ folder, manifest }, all) {
  const tarball = tarballOf(manifest);
  const project = join(home, manifest.name.replace('/', '-'));
  mkdirSync(project);
  const installs = manifest.bin === undefined ? readmeInstalls(join(folder, 'README.md')) : [manifest.name];
  const dependencies = Object.fromEntries(installs.map((name) => [name, `file:${tarballOf(manifestOf(all, name))}`]));
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module', dependencies }),
  );
  const overrides = all.map((other) => `  '${other.manifest.name}': 'file:${tarballOf(other.manifest)}'`).join('\n');
  writeFileSync(join(project, 'pnpm-workspace.yaml'), `packages: []\noverrides:\n${overrides}\n${allowBuilds}`);
  await must(
    'does not install alone',
    pnpm(['install', '--prefer-offline', '--no-frozen-lockfile', '--reporter=silent'], project),
  );

  const subpaths = Object.keys(manifest.exports ?? {}).filter((subpath) => subpath !== './package.json');
  const names = subpaths.map((subpath) => manifest.name + subpath.slice(1));
  writeFileSync(join(project, 'import.mjs'), names.map((name) => `await import('${name}');`).join('\n'));
  await must('cannot be imported', run(process.execPath, ['import.mjs'], project));

  if (manifest.bin !== undefined) {
    const shown = await run(join(project, 'node_modules', '.bin', 'codicil'), ['--version'], project);
    if (shown.stdout.trim() !== manifest.version)
      throw new Error(`the installed command does not run\n${shown.output}`);
    return;
  }
  const example = readmeExample(join(folder, 'README.md'));
  writeFileSync(join(project, 'example.mjs'), example.code);
  const shown = await run(process.execPath, ['example.mjs'], project);
  if (shown.status !== 0 || shown.stdout !== example.output) {
    throw new Error(`the README example prints something else:\n${shown.output}`);
  }
  writeFileSync(
    join(project, 'types.ts'),
    names
      .map((name, index) => `import * as m${index} from '${name}';\nexport type T${index} = typeof m${index};`)
      .join('\n'),
  );
  const strict = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    'false',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom',
    '--types',
    'node',
  ];
  await must(
    'its types do not resolve',
    run(bin('tsc'), [...strict, '--typeRoots', join(root, 'node_modules', '@types'), 'types.ts'], project),
  );
  await must('are-the-types-wrong', run(bin('attw'), [tarball, '--profile', 'esm-only', '--no-emoji'], root));
  await must('publint', run(bin('publint'), ['run', tarball, '--strict'], root));
}

const all = publishedPackages();
const chosen = all.filter(({ manifest }) => values.package === undefined || manifest.name.endsWith(values.package));
const red = [];
try {
  await must(
    'packing',
    pnpm(
      [
        '-r',
        '--filter',
        './packages/*',
        '--filter',
        './apps/*',
        'exec',
        'pnpm',
        'pack',
        '--pack-destination',
        tarballs,
      ],
      root,
    ),
  );
  if (readdirSync(tarballs).length < all.length) throw new Error('a package was not packed');
  const waiting = [...chosen];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        await checkPackage(next, all);
        process.stdout.write(
          `release ${next.manifest.name}: installs alone, imports, its example and its types hold\n`,
        );
      } catch (error) {
        red.push(next.manifest.name);
        process.stdout.write(`release ${next.manifest.name}: RED: ${error.message}\n`);
      }
    }
  };
  await Promise.all([worker(), worker()]);
  if (values.package === undefined) await checkVersioning({ home, run, pnpm, must, bin });
} catch (error) {
  red.push('workspace');
  process.stdout.write(`release: RED: ${error.message}\n`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.stdout.write(
  red.length === 0 ? `release checks: ${chosen.length} packages hold\n` : `release checks: red: ${red.join(', ')}\n`,
);
process.exitCode = red.length === 0 ? 0 : 1;
