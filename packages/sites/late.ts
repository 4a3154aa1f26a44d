/** Parts that are loaded when they are first needed, so that starts and refusals do without them. */

export const loadExport = () => import('./exporting/export-bundle.ts')
export const loadFolderCheck = () => import('./linking/folder-check.ts')
export const loadThemeCheck = () => import('./exporting/theme-check.ts')
export const loadCopies = () => import('./copies/index.ts')
