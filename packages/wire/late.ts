/** Parts that are loaded when they are first needed, so that starts and refusals do without them. */

export const loadHtmlReferences = () => import('./text/references/html.ts')
export const loadCssReferences = () => import('./text/references/css.ts')
export const loadReferenceFinder = () => import('./text/references/finder.ts')
export const loadPageBlocks = () => import('./text/html/page-blocks.ts')
export const loadPageText = () => import('./text/html/page-text.ts')
