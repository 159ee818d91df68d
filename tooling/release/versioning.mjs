import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { publishedPackages, root } from './packages.mjs';
import { bin, must, pnpm, run } from './process.mjs';

/**
 * `changeset version` and a dry publish of one package that nothing else depends on leave every other version as it is.
 * @param {string} home an empty place for it
 */
export async function checkVersioning(home) {
  const copy = join(home, 'workspace');
  mkdirSync(join(copy, '.changeset'), { recursive: true });
  for (const file of ['package.json', 'pnpm-workspace.yaml', '.changeset/config.json'])
    cpSync(join(root, file), join(copy, file));
  const packages = publishedPackages();
  for (const { folder } of packages) {
    const file = join(copy, relative(root, folder), 'package.json');
    mkdirSync(dirname(file), { recursive: true });
    cpSync(join(folder, 'package.json'), file);
  }
  const tooling = join(copy, 'tooling', 'arbitraries');
  mkdirSync(tooling, { recursive: true });
  cpSync(join(root, 'tooling', 'arbitraries', 'package.json'), join(tooling, 'package.json'));

  const alone = packages.find(({ manifest }) => manifest.name === '@codicil/delegation-scope');
  if (alone === undefined) throw new Error('there is no package @codicil/delegation-scope');
  writeFileSync(
    join(copy, '.changeset', 'one.md'),
    `---\n'${alone.manifest.name}': minor\n---\n\nA change of one package.\n`,
  );
  await must('git init', run('git', ['init', '-q', '-b', 'main', copy], home));
  await must('changeset version', run(bin('changeset'), ['version'], copy));
  for (const { folder, manifest } of packages) {
    const { version } = JSON.parse(readFileSync(join(copy, relative(root, folder), 'package.json'), 'utf8'));
    const expected = manifest.name === alone.manifest.name ? nextMinor(manifest.version) : manifest.version;
    if (version !== expected) throw new Error(`changeset version gave ${manifest.name} ${version}, not ${expected}`);
  }
  await must('dry publish', pnpm(['publish', '--dry-run', '--no-git-checks', '--access', 'public'], alone.folder));
  process.stdout.write(`release ${alone.manifest.name}: gets a version and a dry publish without the others\n`);
}

/** @param {string} version */
function nextMinor(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return `${major}.${minor + 1}.0`;
}
