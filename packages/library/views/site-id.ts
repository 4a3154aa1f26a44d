import { siteIdForm } from '@galley/wire'
import { z } from 'zod'

/** A site id in calls. Invalid ids are refused here because the library's log could not store them. */
export const siteIdText = z.string().regex(siteIdForm)
