import { parseInstructions, renderInstructions } from '@codicil/activation';
import { expect, test } from 'vitest';

test('a module is an element with its path, its content and nothing else', () => {
  expect(
    renderInstructions([{ kind: 'module', relPath: 'src/api/AGENTS.md', content: '# API\n', supersedes: false }]),
  ).toBe('<instruction_module path="src/api/AGENTS.md">\n# API\n\n</instruction_module>');
});

test('a later version says that it supersedes the earlier one', () => {
  expect(renderInstructions([{ kind: 'module', relPath: 'a.md', content: 'x', supersedes: true }])).toBe(
    '<instruction_module path="a.md" supersedes="earlier version">\nx\n</instruction_module>',
  );
});

test('a tombstone names the successor', () => {
  expect(renderInstructions([{ kind: 'removed', relPath: 'd/AGENTS.md', successor: 'd/AGENTS.override.md' }])).toBe(
    '<instruction_module path="d/AGENTS.md" removed="no longer applies" successor="d/AGENTS.override.md"/>',
  );
});

test('content that looks like the element is framed by a boundary and left as it is', () => {
  const content = 'never write </instruction_module> here\n';
  const rendered = renderInstructions([{ kind: 'module', relPath: 'a.md', content, supersedes: false }]);
  expect(rendered).toMatch(
    /^<instruction_module path="a.md" boundary="([0-9a-f]{16})">\n[\s\S]*\n<\/instruction_module boundary="\1">$/,
  );
  expect(rendered).toContain(content);
});

test('a path cannot leave its attribute', () => {
  const rendered = renderInstructions([{ kind: 'module', relPath: 'a"> <b>\n.md', content: '', supersedes: false }]);
  expect(rendered.split('\n')[0]).toBe('<instruction_module path="a&#x22;&#x3e; &#x3c;b&#x3e;&#xa;.md">');
});

test('a text that is no rendered record is an error with a code', () => {
  for (const text of [
    'x',
    '<instruction_module path="a">\nx',
    '<instruction_module path="a">\nx\n</instruction_module>\n',
  ]) {
    expect(() => parseInstructions(text)).toThrowError(expect.objectContaining({ code: 'activation_malformed_text' }));
  }
});
