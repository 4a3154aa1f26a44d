import { z } from 'zod'

import { siteIdForm } from '../ids.ts'

/** The id of a site as calls name it: one that could not be a site's would not fit into the library's log. */
export const siteIdText = z.string().regex(siteIdForm)
