/** What is used of the YAML parser, in a file of its own: it is loaded as a whole, late, and carried by the build. */
export { isAlias, isCollection, isMap, isNode, isScalar, isSeq, Lexer, parseDocument, visit } from 'yaml';
