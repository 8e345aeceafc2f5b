#!/bin/sh
# An engine for `cmd:` in the shell: always the first of the allowed moves. It needs sh and sed, and nothing else.
#
#     numberquest play fifty --p2 cmd:./examples/engines/first.sh
#
# A message is one line, always written without blanks between its parts, so that sed can take it apart.

while IFS= read -r line; do
    case $line in
    '{"type":"hello",'*)
        echo '{"type":"ready","protocol":1,"name":"first"}'
        ;;
    '{"type":"question",'*)
        id=$(printf '%s\n' "$line" | sed 's/^{"type":"question","id":\([0-9]*\),.*/\1/')
        move=$(printf '%s\n' "$line" | sed 's/.*,"moves":\["\([^"]*\)".*/\1/')
        printf '{"type":"answer","id":%s,"move":"%s"}\n' "$id" "$move"
        ;;
    '{"type":"goodbye"'*)
        exit 0
        ;;
    esac
done
