export {
  baseName,
  compareCodePoints,
  depthOf,
  foldersAbove,
  isInside,
  joinPath,
  type ProjectPath,
  parentOf,
  parseProjectPath,
  ROOT,
} from './project-path.ts';
export { type PathRules, within } from './within.ts';
