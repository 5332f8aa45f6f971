# What a power cut takes from a file system: lose-caches.pl MOUNT_POINT DEVICE
# Node has no ioctl. ext4 and XFS know this one (EXT4_IOC_SHUTDOWN, XFS_IOC_GOINGDOWN), and the flag leaves out the journal, too.
use strict;
use warnings;

my ($point, $device) = @ARGV;
my $shut_down = 0x8004587d;
my $nothing_is_flushed = pack("L", 2);

open(my $directory, "<", $point) or die "$point: $!\n";
# Anything else that is mounted there, or nothing, would be the machine's own.
(stat $directory)[0] == (stat $device)[6] or die "$point is not what $device holds\n";
ioctl($directory, $shut_down, $nothing_is_flushed) or die "$point cannot be shut down: $!\n";
