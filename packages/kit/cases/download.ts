import type { Theme } from '../suite/case.ts'
import { addresses } from './download/address.ts'
import { failures } from './download/failure.ts'
import { requests } from './download/request.ts'

export const download: Theme = {
  title: 'Download',
  dependsOn: 'save-accepted',
  cases: [...requests, ...failures, ...addresses],
}
