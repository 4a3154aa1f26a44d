/** `npm run screens`: saves pictures of every screen of the real window in both themes to `.cache/screens/`. */

import { join } from 'node:path'

import { endWithNpmShell } from './runtime/npm-shell.ts'
import { runInForeground } from './runtime/processes.ts'
import { projectRoot } from './runtime/project.ts'
import { runScript } from './runtime/unavailable.ts'

endWithNpmShell()
await runScript(() =>
  runInForeground(
    process.execPath,
    [join(projectRoot, 'scripts', 'test.ts'), 'tests/e2e/screens.test.ts', ...process.argv.slice(2)],
    { ...process.env, GALLEY_PICTURES: join(projectRoot, '.cache', 'screens') },
  ),
)
