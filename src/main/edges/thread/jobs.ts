import type { CareJobs } from '../../use-cases/care/read-stored.ts'
import type { ExportJobs } from '../../use-cases/exporting/jobs.ts'
import type { FontJobs } from '../../use-cases/fonts/read-families.ts'
import type { CallbackJobs } from '../../use-cases/intake/body-reader.ts'
import type { SaveJobs } from '../../use-cases/intake/save-jobs.ts'
import type { ReadingJobs } from '../../use-cases/reading/read-json.ts'
import type { PageReadingJobs } from '../../use-cases/reading/read-page.ts'
import type { ReleaseJobs } from '../../use-cases/releasing/prepare.ts'
import type { ReviewJobs } from '../../use-cases/review/jobs.ts'
import type { TeamJobs } from '../../use-cases/team/join-in-background.ts'

/** Every job of a background thread, with its input and result. */
export interface BackgroundJobs
  extends
    CallbackJobs,
    CareJobs,
    ExportJobs,
    FontJobs,
    PageReadingJobs,
    ReadingJobs,
    ReleaseJobs,
    ReviewJobs,
    SaveJobs,
    TeamJobs {}
