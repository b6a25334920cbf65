import type { ChangeName } from '../../people/changes.ts';
import type { listAgents, Listed } from '../../people/list.ts';

/** A program as the list of users shows one. */
export type Agent = Awaited<ReturnType<typeof listAgents>>[number];

/** The people, and what each may do. */
export function People({ people, csrf, self }: { people: readonly Listed[]; csrf: string; self: string }) {
  return (
    <div class="scrolls" tabindex={0} role="region" aria-label="People">
      <table>
        <caption>People</caption>
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">Super admin</th>
            <th scope="col">Builder access</th>
            <th scope="col">Account</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <PersonRow person={person} csrf={csrf} isSelf={person.id === self} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PersonRow({ person, csrf, isSelf }: { person: Listed; csrf: string; isSelf: boolean }) {
  const { id, name, email, isSuperAdmin, hasBuilderGrant, disabledAt } = person;
  const common = { csrf, target: id, of: email };
  return (
    <tr>
      <th scope="row">
        {name}
        <br />
        {email}
      </th>
      <td>
        <Switch
          {...common}
          on={isSuperAdmin}
          words={['yes', 'no']}
          change={isSuperAdmin ? 'unmake_super_admin' : 'make_super_admin'}
          says={isSuperAdmin ? 'Make no super admin' : 'Make super admin'}
          fixed={isSelf}
        />
      </td>
      <td>
        <Switch
          {...common}
          on={hasBuilderGrant}
          words={['granted', 'not granted']}
          change={hasBuilderGrant ? 'withdraw_builder' : 'grant_builder'}
          says={hasBuilderGrant ? 'Withdraw builder access' : 'Grant builder access'}
        />
      </td>
      <td>
        <Switch
          {...common}
          on={disabledAt === null}
          words={['active', 'disabled']}
          change={disabledAt === null ? 'disable' : 'enable'}
          says={disabledAt === null ? 'Disable account' : 'Enable account'}
          fixed={isSelf}
        />
      </td>
    </tr>
  );
}

/** The programs, and whether each has its access. */
export function Agents({ agents, csrf }: { agents: readonly Agent[]; csrf: string }) {
  return (
    <section aria-labelledby="programs">
      <h2 id="programs">Programs</h2>
      <p>
        A name of SURVEY_AGENT_TOKENS, AGENT_CONTROL_TOKENS or BUILDER_AGENT_TOKENS stands here from the first
        start that saw it. While its access is withdrawn, its tokens open nothing but public facts.
      </p>
      {agents.length === 0 ? (
        <p>No program has a token.</p>
      ) : (
        <table>
          <caption>Programs with a token</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Access</th>
            </tr>
          </thead>
          <tbody>
            {agents.map(({ name, withdrawnAt }) => (
              <tr>
                <th scope="row">{name}</th>
                <td>
                  <Switch
                    csrf={csrf}
                    target={name}
                    of={name}
                    on={withdrawnAt === null}
                    words={['granted', 'withdrawn']}
                    change={withdrawnAt === null ? 'withdraw_agent' : 'grant_agent'}
                    says={withdrawnAt === null ? 'Withdraw access' : 'Grant access'}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

interface SwitchProps {
  readonly csrf: string;
  readonly target: string;
  /** Whose it is, for those who hear the button without its row. */
  readonly of: string;
  readonly on: boolean;
  readonly words: readonly [on: string, off: string];
  readonly change: ChangeName;
  readonly says: string;
  /** Nobody takes it from themselves. */
  readonly fixed?: boolean;
}

/** What holds, and the button that changes it. */
function Switch({ csrf, target, of, on, words, change, says, fixed = false }: SwitchProps) {
  return (
    <form class="switch" method="post" action="/admin/users/change">
      <span class={on ? 'state open' : 'state'}>{on ? words[0] : words[1]}</span>
      {!fixed && (
        <>
          <input type="hidden" name="csrf" value={csrf} />
          <input type="hidden" name="change" value={change} />
          <input type="hidden" name="target" value={target} />
          <button type="submit" aria-label={`${says}: ${of}`}>
            {says}
          </button>
        </>
      )}
    </form>
  );
}
