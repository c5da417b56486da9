extension Arguments {
    /// What `--help` prints.
    static let help = """
        Usage: pushward-emulator [OPTION]...

        A local stand-in for the PushWard widget service. It listens on 127.0.0.1 only, prints its URL as one line
        once it is ready, keeps its widgets in memory, and ends on SIGTERM or SIGINT.

          --port N               listen on port N; 0, the default, for any that is free
          --trace FILE           write a line of JSON to FILE for each request, which is begun anew
          --plan free|paid       what the account has paid for; free has 50 updates a month (default: paid)
          --fail WHAT[:COUNT]    let the next COUNT requests (default: 1) fail; repeat it for one after the other
          --key KEY              let in this key only (default: any of 'hlk_' and 32 letters or digits)
          --help                 print this

        WHAT is one of
          300...599              answer with this status
          timeout                do what was asked, and never answer
          timeout-before         do nothing, and never answer
          reset                  do what was asked, and reset the connection
          reset-before           do nothing, and reset the connection

        The trace has at, method, path, content_type, body and status; the status is 0 where there was no answer.

        While it runs it listens to these too, which are neither traced nor counted, need no key and never fail:
          POST /_emulator/fail   {"status":503,"count":3,"retry_after":2,"code":"service.unavailable"}, of which
                                 only the status, a number or a word from above, is required
          DELETE /_emulator/fail forget the failures that are still to come
          POST /_emulator/plan   {"plan":"free"}
          GET /_emulator/state   requests, updates and pushes, in all and for each widget

        It enforces what the service promises and bounds. Where that is open it is strict: a patch must be sent as
        application/merge-patch+json and must have content. A patch that changes nothing costs no update, though it
        is refused when there is none left. A POST replaces all of a widget. device_sort is not supported.

        """
}
