import type { InstanceId } from "../identity/names.ts";
import { atMost } from "./at-most-at-once.ts";
import { backup } from "./backup.ts";
import type { Handler } from "./context.ts";
import { auditHandlers } from "./events.ts";
import type { Handlers } from "./handlers.ts";
import { instanceHandlers } from "./instances.ts";
import { listInventory } from "./inventory.ts";
import { invitationHandlers } from "./invitations.ts";
import { join } from "./join.ts";
import { mostJoinsAtOnce } from "./limits.ts";
import type { Meter } from "./meter.ts";
import { joinWithPauses, renewWithPauses } from "./certificate-pause.ts";
import { report } from "./take-report.ts";
import { renew } from "./renew.ts";
import { rotateAuthority } from "./rotate.ts";
import { resourceHandlers } from "./resources.ts";
import { sessionHandlers } from "./sessions.ts";
import { shellHandlers } from "./shells.ts";
import { answerStatus } from "./status.ts";
import { tokenHandlers } from "./tokens.ts";

type Around = {
  readonly meter: Pick<Meter, "issued">;
  /** Closes the connections of a removed instance. */
  readonly cut: (id: InstanceId) => void;
  /** Reads the authorities again and renews auth's own certificate at once. */
  readonly lookNow: () => Promise<void>;
  readonly rollouts: Handlers["RolloutService"];
};

export function allHandlers({ meter, cut, lookNow, rollouts }: Around): Handlers {
  return {
    JoinService: {
      join: atMost(mostJoinsAtOnce, joinWithPauses(counted(join, () => (meter.issued.join += 1)))),
      renew: atMost(mostJoinsAtOnce, renewWithPauses(counted(renew, () => (meter.issued.renew += 1)))),
    },
    ClusterService: {
      getStatus: answerStatus(),
      backup,
      rotateAuthority: async (context, caller, request) => {
        const answer = await rotateAuthority(context, caller, request);
        await lookNow();
        return answer;
      },
    },
    ResourceService: resourceHandlers,
    TokenService: tokenHandlers,
    InstanceService: {
      ...instanceHandlers,
      removeInstance: async (context, caller, request) => {
        const answer = await instanceHandlers.removeInstance(context, caller, request);
        cut(request.id as InstanceId);
        return answer;
      },
    },
    InventoryService: { report, listInventory },
    SessionService: sessionHandlers,
    InvitationService: invitationHandlers,
    RolloutService: rollouts,
    ShellService: shellHandlers,
    AuditService: auditHandlers,
  };
}

function counted<Request, Response>(handler: Handler<Request, Response>, count: () => void): Handler<Request, Response> {
  return async (context, caller, request) => {
    const response = await handler(context, caller, request);
    count();
    return response;
  };
}
