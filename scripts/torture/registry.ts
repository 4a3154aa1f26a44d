/** All tortures, in the order of `--list`. */

import { archives } from './archives.ts'
import { bombs } from './bombs.ts'
import { clock } from './clock.ts'
import { concurrency } from './concurrency.ts'
import { faults } from './faults.ts'
import { forgeries } from './forgeries.ts'
import { killPoints } from './kill-points.ts'
import { kills } from './kills.ts'
import { largeSaves } from './large-saves.ts'
import { owners } from './owners.ts'
import { replays } from './replays.ts'
import { requests } from './requests/index.ts'
import { secrets } from './secrets.ts'
import { slowClients } from './slow-clients.ts'
import { soak } from './soak.ts'
import { suiteTortures } from './suites.ts'
import { syncs } from './syncs.ts'
import { team } from './team.ts'
import type { Torture } from './torture.ts'

export const tortures: readonly Torture[] = [
  kills,
  killPoints,
  faults,
  syncs,
  archives,
  bombs,
  largeSaves,
  requests,
  forgeries,
  replays,
  slowClients,
  concurrency,
  soak,
  owners,
  clock,
  secrets,
  team,
  ...suiteTortures,
]
