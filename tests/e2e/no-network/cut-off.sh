# Runs a command on a machine that believes itself online and reaches nobody: loopback, and one cable into nothing.
# Wants a network, a mount and a process namespace of its own (unshare); $1 becomes the list of name servers.
set -e
mount --bind "$1" /etc/resolv.conf
shift
ip link set lo up
ip link add out type veth peer name nowhere
ip address add 192.0.2.1/24 dev out
ip link set nowhere up
ip link set out up
ip route add default dev out
ip -6 route add default dev out
"$@"
