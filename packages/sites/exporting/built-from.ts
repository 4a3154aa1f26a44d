/** Set by the build, see electron.vite.config.ts. */
declare const __BUILT_FROM__: string | undefined

/** Differs between builds of different sources, which may render the same page differently. */
export const builtFrom = typeof __BUILT_FROM__ === 'undefined' ? 'sources' : __BUILT_FROM__
