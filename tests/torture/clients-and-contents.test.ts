import { archives } from '../../scripts/torture/archives.ts'
import { bombs } from '../../scripts/torture/bombs.ts'
import { concurrency } from '../../scripts/torture/concurrency.ts'
import { forgeries } from '../../scripts/torture/forgeries.ts'
import { largeSaves } from '../../scripts/torture/large-saves.ts'
import { replays } from '../../scripts/torture/replays.ts'
import { requests } from '../../scripts/torture/requests/index.ts'
import { slowClients } from '../../scripts/torture/slow-clients.ts'
import { testShortForm } from './short.ts'

for (const torture of [archives, bombs, largeSaves, requests, forgeries, replays, slowClients, concurrency])
  testShortForm(torture)
