import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Writes a declaration for each source file of a package. Every export says its type (`isolatedDeclarations`), so that each file is translated
 * alone, in milliseconds; whether the types are right is asked once for the whole project.
 */
export function emitDeclarations(source: string, target: string): void {
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const fileName = join(source, name);
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(fileName, 'utf8'), {
      fileName,
      reportDiagnostics: true,
      compilerOptions: {
        isolatedDeclarations: true,
        verbatimModuleSyntax: true,
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
      },
    });
    const [fault] = diagnostics;
    if (fault !== undefined)
      throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
    const output = join(target, name.replace(/\.ts$/, '.d.ts'));
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, outputText.replace(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2'));
  }
}
