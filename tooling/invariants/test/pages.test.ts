import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const DECISIONS = 'docs/decisions';
const HEADER =
  /^# (\d{4}): .+\n\n\*\*Date\.\*\* \d{4}-\d\d-\d\d \*\*Status\.\*\* (?:accepted|superseded by \[(\d{4})\]\(\S+\))\n/;

test.each(readdirSync(DECISIONS))('decision %s has its number, a date and a status', (name) => {
  const header = HEADER.exec(readFileSync(join(DECISIONS, name), 'utf8'));
  expect(header?.[1]).toBe(name.slice(0, 4));
  const successor = header?.[2];
  if (successor !== undefined) expect(readdirSync(DECISIONS).some((other) => other.startsWith(successor))).toBe(true);
});

test('no two decisions have one number', () => {
  const numbers = readdirSync(DECISIONS).map((name) => name.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
});

/** What a page shows as text: neither its blocks of code nor its code spans. */
const proseOf = (text: string) => text.replace(/^(```+)[^\n]*\n[\s\S]*?^\1$/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors that the headings of a page get, as GitHub gives them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const headings = text.replace(/^(```+)[^\n]*\n[\s\S]*?^\1$/gm, '').matchAll(/^#{1,6} +(.+?) *$/gm);
  for (const [, heading = ''] of headings) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** The targets of relative links of a page that lead nowhere. */
function brokenLinks(file: string, text: string): readonly string[] {
  const targets = [...proseOf(text).matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]: +(\S+)/gm)];
  return targets.flatMap(([, inline, reference]) => {
    const target = inline ?? reference ?? '';
    if (/^[a-z][a-z+.-]*:/i.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    const place = path === '' ? file : join(dirname(file), decodeURIComponent(path));
    if (!existsSync(place)) return [target];
    if (anchor === undefined) return [];
    const page =
      place === file ? text : readFileSync(statSync(place).isDirectory() ? join(place, 'README.md') : place, 'utf8');
    return anchorsOf(page).has(anchor) ? [] : [target];
  });
}

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
});
const pages = listed.split('\0').filter((file) => file !== '' && !file.includes('/fixtures/') && existsSync(file));

test('there are pages to look at', () => {
  expect(pages).toContain('README.md');
});

test.each(pages)('each relative link of %s leads somewhere', (file) => {
  expect(brokenLinks(file, readFileSync(file, 'utf8'))).toEqual([]);
});

test('a link to no file and one to no heading are found, links in code and to other places are not', () => {
  const text = [
    '# A page',
    '[here](#a-page) [nowhere](#another) [file](LICENSE) [none](docs/none.md) [far](https://example.org/x)',
    '[page](docs/architecture.md#layers) [no such part](docs/architecture.md#none)',
    '`[code](none.md)`',
    '```md\n[block](none.md)\n```',
    '[named]: none.txt',
  ].join('\n');
  const broken = ['#another', 'docs/none.md', 'docs/architecture.md#none', 'none.txt'];
  expect(brokenLinks('README.md', text)).toEqual(broken);
});
