import { fontFaces } from '../../contract/text/css/font-faces.ts'
import { encodeSegment } from '../../contract/protocol/public-url.ts'
import { rewriteCss } from '../../contract/text/references/css.ts'
import { dummyNames } from '../../contract/text/references/finder.ts'

/** The families of a font sheet, each once, in the order of their `@font-face` rules. */
export const fontFamilies = (css: string): readonly string[] => [...new Set(fontFaces(css).map(({ family }) => family))]

/** The sheet with its temporary names replaced by `files/<name>`, as the editor page loads it. */
export const shownSheet = (css: string, fileNames: readonly string[]): string =>
  rewriteCss(css, dummyNames(new Map(fileNames.map((name) => [name, `files/${encodeSegment(name)}`])))).text
