/** The rules of a bundle and its pages. Pure. */

export { usableBaseUrl } from './base-url.ts'
export { descriptionMaxChars, shownUpdate } from './layout.ts'
export { ownUrls } from './own-urls.ts'
export { pageAlone } from './page-alone.ts'
export type { Reference } from './page-references.ts'
export { pageContents, sheetReferences } from './page-references.ts'
export type { OutsideLink } from './reference-check.ts'
export type { LocalText, ThemeManifest, ThemeSetting } from './render/theme.ts'
export { settingsFor, textIn } from './render/theme.ts'
