import library from './migrations/0001-library.sql?raw'
import interfaceSchema from './migrations/0002-interface.sql?raw'
import pruning from './migrations/0003-pruning.sql?raw'
import callbackIndex from './migrations/0004-callback-index.sql?raw'
import askedFaces from './migrations/0005-asked-faces.sql?raw'

/** The schemas of libraries without a log. Do not add more. */
export const migrationsBeforeLog: readonly string[] = [library, interfaceSchema, pruning, callbackIndex, askedFaces]
