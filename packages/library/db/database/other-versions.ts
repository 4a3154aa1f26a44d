/** A newer Galley wrote the library. Opening it with this version could lose data. */
export class NewerLibraryError extends Error {
  constructor(what: string) {
    super(
      `This library was written by a newer version of Galley (${what}). Nothing was changed. ` +
        'Use the newer version, or another library folder.',
    )
  }
}

/** A build of Galley before 0.1.0 wrote the library. Its formats are not read. */
export class EarlierLibraryError extends Error {
  readonly code = 'earlier_library'
  constructor() {
    super(
      'This library was written by a build of Galley before 0.1.0, which this version does not read. Nothing was changed. ' +
        'Run galley export SITE --out FOLDER with that build to take its pages along, and use another library folder here.',
    )
  }
}
