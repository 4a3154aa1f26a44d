/**
 * A path of the app's own files as functions can read it that Electron does not answer inside an `app.asar`, `opendir` and `cp`
 * among them: packages have these files beside the archive. Elsewhere the path itself.
 */
export const outsideAsar = (path: string): string => path.replace(/\.asar(?=[/\\])/, '.asar.unpacked')
