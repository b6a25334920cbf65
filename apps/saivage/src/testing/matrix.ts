/** What each request does in each state: the state that follows, or `!` and the code of the refusal. */
export const REQUESTS = `
            register         start            stop             restart          refresh          call             replace          unregister       close
unstarted   !name_taken      starting         !never_started   !never_started   !not_running     !not_running     unstarted        gone             gone
starting    !name_taken      !busy            stopping         restarting       !busy            !not_running     !not_stopped     retiring         retiring
running     !name_taken      running          stopping         restarting       refreshing       running          !not_stopped     retiring         retiring
refreshing  !name_taken      !busy            stopping         restarting       !busy            refreshing       !not_stopped     retiring         retiring
failing     !name_taken      !busy            stopping         restarting       !busy            !not_running     !not_stopped     retiring         retiring
stopping    !name_taken      !busy            stopping         !busy            !busy            !not_running     !not_stopped     retiring         retiring
restarting  !name_taken      !busy            stopping         !busy            !busy            !not_running     !not_stopped     retiring         retiring
stopped     !name_taken      starting         stopped          starting         !not_running     !not_running     stopped          gone             gone
failed      !name_taken      starting         stopped          starting         !not_running     !not_running     stopped          gone             gone
blocked     !name_taken      !blocked         stopping         restarting       !not_running     !not_running     !blocked         retiring         retiring
retiring    !busy            !unknown_server  retiring         !unknown_server  !unknown_server  !unknown_server  !unknown_server  !unknown_server  retiring
orphaned    !blocked         !unknown_server  retiring         !unknown_server  !unknown_server  !unknown_server  !unknown_server  !unknown_server  retiring
gone        !unknown_server  !unknown_server  !unknown_server  !unknown_server  !unknown_server  !unknown_server  !unknown_server  !unknown_server  gone
`;

/** What news does in each state: the state that follows, nothing (late), or it cannot come (fault). */
export const HAPPENINGS = `
            ready   failed stuck   refreshed refresh_failed lost    cancelled contained not_contained
unstarted   fault   fault  fault   fault     fault          fault   late      fault     fault
starting    running failed blocked fault     fault          fault   late      fault     fault
running     fault   fault  fault   fault     fault          failing late      fault     fault
refreshing  fault   fault  fault   running   running        failing late      fault     fault
failing     fault   fault  fault   late      late           late    late      failed    blocked
stopping    late    late   late    late      late           late    late      stopped   blocked
restarting  late    late   late    late      late           late    stopping  starting  blocked
stopped     fault   fault  fault   fault     fault          fault   late      fault     fault
failed      fault   fault  fault   fault     fault          fault   late      fault     fault
blocked     late    late   late    late      late           late    late      fault     fault
retiring    late    late   late    late      late           late    late      gone      orphaned
orphaned    late    late   late    late      late           late    late      fault     fault
gone        fault   fault  fault   fault     fault          fault   late      fault     fault
`;

/** Every cell of a matrix. */
export function cellsOf(matrix: string): { row: string; column: string; cell: string }[] {
  const [head = '', ...rows] = matrix.trim().split('\n');
  const columns = head.trim().split(/\s+/);
  return rows.flatMap((line) => {
    const [row = '', ...cells] = line.trim().split(/\s+/);
    return columns.map((column, index) => ({ row, column, cell: cells[index] ?? '' }));
  });
}
