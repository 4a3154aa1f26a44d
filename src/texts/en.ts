import { app } from './en/app.ts'
import { callback } from './en/callback.ts'
import { callbacks } from './en/callbacks.ts'
import { causes } from './en/causes.ts'
import { comments } from './en/comments.ts'
import { design } from './en/design.ts'
import { desk } from './en/desk.ts'
import { developer } from './en/developer.ts'
import { doctor } from './en/doctor.ts'
import { exports } from './en/exports.ts'
import { fonts } from './en/fonts.ts'
import { health } from './en/health.ts'
import { help } from './en/help.ts'
import { listener } from './en/listener.ts'
import { materials } from './en/materials.ts'
import { media } from './en/media.ts'
import { pages } from './en/pages.ts'
import { problems } from './en/problems.ts'
import { publish } from './en/publish.ts'
import { reasons } from './en/reasons.ts'
import { remarks } from './en/remarks.ts'
import { replay } from './en/replay.ts'
import { review } from './en/review.ts'
import { settings } from './en/settings.ts'
import { sites } from './en/sites.ts'
import { start } from './en/start.ts'
import { system } from './en/system.ts'
import { tasks } from './en/tasks.ts'
import { team } from './en/team.ts'
import { ui } from './en/ui.ts'
import { updates } from './en/updates.ts'
import { versions } from './en/versions.ts'
import { webhook } from './en/webhook.ts'

/** Every English text, one file per subject; its keys are the keys of the whole catalogue. */
export const en = {
  app,
  callback,
  callbacks,
  causes,
  comments,
  design,
  desk,
  developer,
  doctor,
  exports,
  fonts,
  health,
  help,
  listener,
  materials,
  media,
  pages,
  problems,
  publish,
  reasons,
  remarks,
  replay,
  review,
  settings,
  sites,
  system,
  tasks,
  team,
  start,
  ui,
  updates,
  versions,
  webhook,
} as const
