import { z } from 'zod'

import { siteIdForm } from '../ids.ts'

/** A site id in calls. Invalid ids are refused here because the library's log could not store them. */
export const siteIdText = z.string().regex(siteIdForm)
