import type {
  CallbackJobs,
  CareJobs,
  CompareJobs,
  FontJobs,
  PageReadingJobs,
  ReadingJobs,
  SaveJobs,
} from '@galley/library'
import type { ExportJobs, ReleaseJobs } from '@galley/sites'
import type { TeamJobs } from '@galley/team'

import type { ReviewJobs } from '../review/jobs.ts'
import type { KitJobs } from '../try-it/kit-job.ts'

/** Every job of a background thread, with its input and result. */
export interface BackgroundJobs
  extends
    CallbackJobs,
    CareJobs,
    CompareJobs,
    ExportJobs,
    FontJobs,
    KitJobs,
    PageReadingJobs,
    ReadingJobs,
    ReleaseJobs,
    ReviewJobs,
    SaveJobs,
    TeamJobs {}
