#!/usr/bin/perl
# Low: the weakest legal card, in a conversation over stdin and stdout.
use strict;
use warnings;

$| = 1;    # flush each line: an answer that waits in a buffer is a late one

while (my $line = <STDIN>) {
    my ($id)    = $line =~ /"decision_id":(\d+),"card"/ or next;    # all else is news
    my ($legal) = $line =~ /"legal":\[([^]]+)\]/;
    my ($card)  = sort { index('4567JHKA23', substr $a, 1) <=> index('4567JHKA23', substr $b, 1) }
        $legal =~ /\w+/g;
    print qq({"answer":{"decision_id":$id,"card":"$card"}}\n);
}
