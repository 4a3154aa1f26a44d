import { backup, restore } from './backup.ts'
import { callbacksDismiss, callbacksList, callbacksReplay, callbacksShow } from './callbacks.ts'
import type { Command } from './command.ts'
import { commentAdd, commentAnswer, commentList, commentReopen, commentResolve } from './comment.ts'
import { compareVersions } from './compare.ts'
import { completionOf } from './completion.ts'
import { conformance } from './conformance.ts'
import { evidence, report, wacz } from './copies.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { emulator } from './emulator.ts'
import { erase } from './erase.ts'
import { exportSite } from './export.ts'
import { fonts } from './fonts.ts'
import { fsck } from './fsck.ts'
import { gc } from './gc.ts'
import { ignore } from './ignore.ts'
import { linkcheck } from './linkcheck.ts'
import { listen } from './listen.ts'
import { manualOf } from './manual.ts'
import { mark } from './mark.ts'
import { materialArchive, materialDelete, materials, materialUnarchive, rename, versions } from './material.ts'
import { open } from './open.ts'
import { page } from './page.ts'
import { preview } from './preview.ts'
import { prune } from './prune.ts'
import { publish, releases } from './publish.ts'
import { rebuild } from './rebuild.ts'
import { rehearse } from './rehearse.ts'
import { reviewApprove, reviewClear, reviewHistory, reviewQueue, reviewRequest } from './review.ts'
import { pause, resume, rules } from './rules.ts'
import { search } from './search.ts'
import { showVersion } from './show.ts'
import { siteCheck } from './site-check.ts'
import { sitePublishing } from './site-publishing.ts'
import { siteRepublish } from './site-republish.ts'
import { siteAdd, siteList, siteRemove, siteShow } from './site.ts'
import { targetAdd, targetCheck, targetList, targetRemove } from './target.ts'
import { teamCache } from './team-cache.ts'
import { teamCreate, teamDecide, teamImport, teamJoin, teamKeys, teamLeave, teamStatusCommand } from './team.ts'
import { siteWebhook, webhookDeliveries, webhookResend } from './webhook.ts'

/** All commands by subject, in the order of the help. Longer names precede their prefixes. */
export const commandGroups: Readonly<Record<string, readonly Command[]>> = {
  Sites: [
    siteAdd,
    siteList,
    siteShow,
    siteRemove,
    siteCheck,
    siteRepublish,
    sitePublishing,
    siteWebhook,
    rules,
    pause,
    resume,
  ],
  'Sessions and callbacks': [
    open,
    listen,
    callbacksShow,
    callbacksReplay,
    callbacksDismiss,
    callbacksList,
    webhookDeliveries,
    webhookResend,
  ],
  'Materials and versions': [
    materials,
    materialArchive,
    materialUnarchive,
    materialDelete,
    rename,
    page,
    versions,
    showVersion,
    search,
    fonts,
  ],
  Review: [
    compareVersions,
    commentAdd,
    commentList,
    commentAnswer,
    commentResolve,
    commentReopen,
    mark,
    ignore,
    reviewQueue,
    reviewApprove,
    reviewRequest,
    reviewClear,
    reviewHistory,
    evidence,
    wacz,
    report,
  ],
  Publishing: [exportSite, targetAdd, targetList, targetRemove, targetCheck, publish, releases, preview, linkcheck],
  'Care of the library': [fsck, rebuild, gc, erase, prune, backup, restore, rehearse],
  Teams: [teamCreate, teamJoin, teamImport, teamStatusCommand, teamDecide, teamCache, teamKeys, teamLeave],
  'For developers': [emulator, conformance, demo],
  'About Galley': [doctor, completionOf(() => commands), manualOf(() => commandGroups)],
}

export const commands: readonly Command[] = Object.values(commandGroups).flat()
